(module
  ;; Eleven numbers make a text question without a suggestion; the twelfth is where the outcome goes.
  ;; The first ends the call. A call that finds answers to all ends at the limit of questions.
  (import "teacher-assist:plugin/ask@0.2.0" "put"
    (func $put (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))
  (memory (export "memory") 2)
  (global $top (mut i32) (i32.const 65536))
  (func $realloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
    (global.set $top (i32.add (local.get $at) (local.get 3)))
    (local.get $at))
  (data (i32.const 2048) "again")
  (func (export "teacher-assist:plugin/post-loop@0.2.0#run") (param i32) (result i32) (local $left i32)
    (local.set $left (i32.const 1000))
    (loop $again
      (call $put
        (i32.const 2048) (i32.const 5) (i32.const 2048) (i32.const 5) (i32.const 2048) (i32.const 5)
        (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 3072))
      (br_if $again (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
    (i32.const 1024)))
