(module
  (memory (export "memory") 2)
  (func $realloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
    (i32.add (i32.const 1) (call $realloc (local.get 0) (local.get 1) (local.get 2) (local.get 3))))
  (func (export "teacher-assist:plugin/post-loop@0.2.0#run") (param i32) (result i32)
    (i32.const 1024)))
